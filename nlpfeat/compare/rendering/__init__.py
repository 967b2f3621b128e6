"""The page of a comparison, its Markdown and its figures, made of findings and nothing else."""

from nlpfeat.compare.rendering.figures import figures, save_figures
from nlpfeat.compare.rendering.html import render_html
from nlpfeat.compare.rendering.markdown import render_markdown

__all__ = ["figures", "render_html", "render_markdown", "save_figures"]
