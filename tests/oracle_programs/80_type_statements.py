# call: f(3)
# needs: 3.12
type Alias = list[int]


class Box[T]:
    type Item = T
    size = 1

    def put(self, item: T) -> T:
        self.item = item
        return item


def first[T](xs: list[T]) -> T:
    return xs[0]


def f(n):
    type Local = int
    return Box().put(n), first([n])
