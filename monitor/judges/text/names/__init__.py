"""Names of people, places and countries: what no capital marks in Chinese, and what has several names."""
