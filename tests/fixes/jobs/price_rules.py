def with_tax(amount):
    return amount * 1.25
