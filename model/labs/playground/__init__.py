"""Train a small model: simple tasks, each part of the paper as a switch, runs that take seconds.

from model.labs.playground.run import train
from model.labs.playground.settings import Settings

train(Settings(task="reverse", positions="none")).free_accuracy
"""
