"""What a report's notebook calls: a class for each subject, a method for each chart and table."""
