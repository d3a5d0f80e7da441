# call: f(2)
def f(n):
    base = [n]

    class Shape:
        """Text."""

        sides: int
        count: int = n
        names = ["a"]
        count += len(base)
        for i in range(2):
            names.append(i)

        def area(self):
            return self.count * n

        @property
        def twice(self):
            return self.area() * 2

        @staticmethod
        def zero():
            return 0

        class Inner:
            depth = 2

    class Square(Shape):
        pass

    s = Square()
    return s.twice, s.zero(), Shape.Inner.depth, s
