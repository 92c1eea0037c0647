"""What the panes of the review show, as plain rows: made from the review and the decisions, without any widget."""
