"""Parts and texts of a drawing."""

from xml.etree import ElementTree


def parts(svg: str) -> list[ElementTree.Element]:
    """All elements of a drawing, after checking what holds for every one of them."""
    elements = list(ElementTree.fromstring(svg).iter())
    for part in elements:
        assert not {"style", "id", "onclick", "onload", "href"} & set(part.attrib)
        assert part.tag in {"svg", "title", "g", "path", "rect", "circle", "ellipse", "polygon", "text"}
    return elements


def texts(svg: str) -> list[str]:
    return [part.text or "" for part in parts(svg) if part.tag == "text"]
