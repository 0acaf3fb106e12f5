"""A machine apart, with mounts, network and processes of its own: the manual's commands are run there.

Nothing that happens there is left on the machine of the test run. It takes root, and namespaces.
"""
