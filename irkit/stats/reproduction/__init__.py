"""How well a result or a run was reproduced."""
