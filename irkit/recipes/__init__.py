"""How runs are made: a recipe names method, parameters and files; the run made by it keeps the recipe beside it."""

from irkit.recipes.inputs import RecipeInputs
from irkit.recipes.make import make
from irkit.recipes.recipe import Recipe
from irkit.recipes.record import Record, read_record, record_of, write_made
from irkit.recipes.verification import Verified, verify

__all__ = ["Recipe", "RecipeInputs", "Record", "Verified", "make", "read_record", "record_of", "verify", "write_made"]
