# The service that answers here does not know loops.
formwork() {
    local command=$1
    shift
    case $command in
    deploy | sync | validate) command formwork "$command" "$@" --expand ;;
    *) command formwork "$command" "$@" ;;
    esac
}
