"""What a hand is worth with all cards seen.

The value of a position is the most points, of the six of a hand, of which the bidding team can be
sure against all the others together. It is pessimistic: others who cannot see the cards, and two
teams of which each wants the points for itself, never play so well.
"""

from schmier_sim.solver.position import Position, Solution, Solver

__all__ = ["Position", "Solution", "Solver"]
