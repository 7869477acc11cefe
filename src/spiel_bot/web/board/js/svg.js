// SVG elements, and the look of the board, which the server draws.
const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, content = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (content) made.innerHTML = content;
  return made;
}

let loading = null;

// Return the look: fetched once for all boards of a page, with its style sheet put in place.
export function loadLook(address) {
  loading ??= fetch(address).then(async (answer) => {
    if (!answer.ok) throw new Error(`the look of the board: status ${answer.status}`);
    const look = await answer.json();
    const style = document.createElement("style");
    style.textContent = look.style;
    document.head.append(style);
    // Gradients have names, so they stand once on the page, whatever boards come and go.
    const size = { width: 0, height: 0, "aria-hidden": "true", style: "position: absolute" };
    document.body.append(element("svg", size, look.paints));
    return look;
  });
  return loading;
}

export function place(node, [x, y]) {
  node.style.transform = `translate(${x}px, ${y}px)`;
}
