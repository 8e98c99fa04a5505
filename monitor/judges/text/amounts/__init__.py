"""What numbers say in more than one way (`quantities`), and the scales that a table names once (`scales`)."""
