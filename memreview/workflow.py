"""What both faces call: the use cases of memreview, without a screen."""
