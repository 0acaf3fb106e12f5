"""Outlines and how a region is cut out of them.

Cutting by arithmetic, not by ``clipPath``, keeps ids out of the drawings.
"""

Point = tuple[float, float]
Polygon = tuple[Point, ...]


def curve(start: Point, one: Point, two: Point, end: Point, steps: int = 8) -> Polygon:
    """Points of a cubic Bézier curve after ``start``, ``end`` included."""
    points = []
    for step in range(1, steps + 1):
        t = step / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append(
            (
                a * start[0] + b * one[0] + c * two[0] + d * end[0],
                a * start[1] + b * one[1] + c * two[1] + d * end[1],
            )
        )
    return tuple(points)


def cut(outline: Polygon, region: Polygon) -> Polygon:
    """The part of ``outline`` inside the convex ``region`` (Sutherland and Hodgman, 1974).

    ``region`` runs clockwise as seen on the screen, where y points down. Where an outline that isn't convex
    falls into several parts, they stay joined by lines of no width, which a fill doesn't show.
    """
    result = list(outline)
    for (ax, ay), (bx, by) in zip(region, (*region[1:], region[0]), strict=True):

        def inside(point: Point, ax: float = ax, ay: float = ay, bx: float = bx, by: float = by) -> float:
            return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)

        before, result = result, []
        for index, point in enumerate(before):
            last = before[index - 1]
            here, there = inside(point), inside(last)
            if (here >= 0) != (there >= 0):
                share = there / (there - here)
                result.append(
                    (last[0] + share * (point[0] - last[0]), last[1] + share * (point[1] - last[1]))
                )
            if here >= 0:
                result.append(point)
    return tuple(result)
