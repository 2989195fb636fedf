"""`python -m hardwon`: the command."""

from hardwon._command import main

if __name__ == "__main__":
    main()
