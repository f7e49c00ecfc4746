"""The forward pass of a BERT encoder as an ONNX graph, made from the weights alone; `bert.py` is its twin."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from irkit.retrieval.minilm import Array, Shape

OPERATORS: Final = 17  # the first operator set with LayerNormalization
FORMAT: Final = 8  # the file format of that operator set; every later onnxruntime reads it


def bert_graph(weights: "Mapping[str, Array]", shape: "Shape") -> bytes:
    """Build an ONNX model file.

    Inputs are `ids` and `mask`, int64 (n, length). Outputs are `tokens`, float32 (n, length, hidden), not scaled and
    without meaning at padding; and `vectors`, float32 (n, hidden), their means scaled to length 1.

    Parameters
    ----------
    weights : mapping of str to float32 array
        Keyed by the names of a BERT checkpoint.
    shape : Shape
    """
    from onnx import TensorProto, helper

    graph = _Graph(weights, shape)
    graph.build()
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "bert",
            [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "length"]) for name in ("ids", "mask")],
            [
                helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["n", shape.hidden]),
                helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["n", "length", shape.hidden]),
            ],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPERATORS)],
        ir_version=FORMAT,
    )
    return bytes(model.SerializeToString())


class _Graph:
    """Nodes and constants of a graph; every method adds some and returns the name of its result."""

    def __init__(self, weights: "Mapping[str, Array]", shape: "Shape") -> None:
        self.weights = weights
        self.shape = shape
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def build(self) -> None:
        away = self.op("Mul", self.op("Sub", self.value(1.0), self.op("Cast", "mask", to=1)), self.value(-1e9))
        away = self.op("Unsqueeze", away, self.integers([1, 2]))
        x = self.norm(self.embeddings(), "embeddings.LayerNorm")
        for layer in range(self.shape.layers):
            name = f"encoder.layer.{layer}"
            context = self.linear(self.attention(x, away, f"{name}.attention.self"), f"{name}.attention.output.dense")
            x = self.norm(self.op("Add", x, context), f"{name}.attention.output.LayerNorm")
            inner = self.linear(self.gelu(self.linear(x, f"{name}.intermediate.dense")), f"{name}.output.dense")
            x = self.norm(self.op("Add", x, inner), f"{name}.output.LayerNorm")
        self.pool(self.op("Identity", x, output="tokens"))

    def embeddings(self) -> str:
        length = self.op("Slice", self.op("Shape", "ids"), self.integers([1]), self.integers([2]))
        positions = self.weight("embeddings.position_embeddings.weight")
        position = self.op("Slice", positions, self.integers([0]), length, self.integers([0]))
        word = self.op("Gather", self.weight("embeddings.word_embeddings.weight"), "ids")
        kind = self.constant(self.weights["embeddings.token_type_embeddings.weight"][0])
        return self.op("Add", self.op("Add", word, position), kind)

    def attention(self, x: str, away: str, name: str) -> str:
        size = self.shape.hidden // self.shape.heads
        query, key, value = (
            self.op(
                "Transpose",
                self.op("Reshape", self.linear(x, f"{name}.{part}"), self.integers([0, 0, self.shape.heads, size])),
                perm=[0, 2, 3, 1] if part == "key" else [0, 2, 1, 3],
            )
            for part in ("query", "key", "value")
        )
        scores = self.op("Mul", self.op("MatMul", query, key), self.value(1 / np.sqrt(size)))
        shares = self.op("Softmax", self.op("Add", scores, away), axis=-1)
        context = self.op("Transpose", self.op("MatMul", shares, value), perm=[0, 2, 1, 3])
        return self.op("Reshape", context, self.integers([0, 0, self.shape.hidden]))

    def gelu(self, x: str) -> str:
        erf = self.op("Erf", self.op("Mul", x, self.value(np.sqrt(0.5))))
        return self.op("Mul", self.op("Mul", x, self.value(0.5)), self.op("Add", erf, self.value(1.0)))

    def pool(self, x: str) -> None:
        present = self.op("Unsqueeze", self.op("Cast", "mask", to=1), self.integers([2]))
        total = self.op("ReduceSum", self.op("Mul", x, present), self.integers([1]), keepdims=0)
        mean = self.op("Div", total, self.op("ReduceSum", present, self.integers([1]), keepdims=0))
        length = self.op("Max", self.op("ReduceL2", mean, axes=[1], keepdims=1), self.value(1e-12))
        self.op("Div", mean, length, output="vectors")

    def linear(self, x: str, name: str) -> str:
        product = self.op("MatMul", x, self.constant(self.weights[f"{name}.weight"].T))
        return self.op("Add", product, self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str) -> str:
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=self.shape.epsilon)

    def op(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = output or f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def weight(self, name: str) -> str:
        return self.constant(self.weights[name])

    def value(self, number: float) -> str:
        return self.constant(np.array(number, dtype=np.float32))

    def integers(self, numbers: list[int]) -> str:
        return self.constant(np.array(numbers, dtype=np.int64))

    def constant(self, array: Any) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name
