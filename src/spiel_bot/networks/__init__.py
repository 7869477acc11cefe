"""Networks: PyTorch learns them, ONNX Runtime plays them, a checkpoint lies between the two.

Nothing is imported here, so that whoever only plays never loads torch.
"""
