"""What `viewer.memory` promises, without GL."""
