"""Words and pages: sentences, languages, markup, templates and drawings."""
