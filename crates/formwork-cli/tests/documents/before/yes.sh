# The reader answers the question with yes.
formwork() { command formwork "$@" --yes; }
