"""Train one yourself: small tasks, the paper's parts as switches, a run of seconds.

from model.labs.playground.run import train
from model.labs.playground.settings import Settings

train(Settings(task="reverse", positions=False)).free_accuracy
"""
