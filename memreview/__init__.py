"""memreview: review what a dream wants to write into an agent's memory, beside its evidence."""

__version__ = "0.1.0"
