"""Confines a program to one folder and to the few sockets that it may reach."""
