"""The expected results of orders, and the reasons for results: trial, forecast, choices, odds, why."""
