"""The pages, one file each; every file has `register(hall)`, which adds its pages to the server."""
