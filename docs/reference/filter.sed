# What Doxygen reads instead of a header: the namespace without its version, as users write it, and links to pages.
s/parley::inline v0/parley/
s:docs/([a-z]+)/([a-z-]+)\.md:@ref \1_\2:g
