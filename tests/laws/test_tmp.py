from tests.strategies import MARKS
def test_x(): assert MARKS
