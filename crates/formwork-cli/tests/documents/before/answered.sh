# The reader answers the question with yes, where there is one.
formwork() {
    case "$*" in
    *--dry-run*) command formwork "$@" ;;
    *) command formwork "$@" --yes ;;
    esac
}
