def print_module(module): return module.source.text
