# Nothing is declared here.
