"""The engine beside RLCard's UNO environment (Zha et al., datamllab/rlcard, MIT): what both call legal.

None of RLCard's code is here: only what it answered, recorded by `record`, written and read by `corpus`.
"""
