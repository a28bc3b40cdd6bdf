"""What the operating system gives: files, processes, the clock, the service manager."""
