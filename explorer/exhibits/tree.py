"""The search as a tree that plays: every candidate, its fate, and decoding on from any of them."""

from __future__ import annotations

from explorer.exhibit import Exhibit, panel

TEMPLATE = """
<div class="hl-tree">
  <div class="hl-tree-main">
    <div class="hl-tree-bar">
      <div class="hl-tree-player" role="group" data-t-label="tree.player">
        <button type="button" data-play="first" data-t-name="tree.first" data-icon="first"></button>
        <button type="button" data-play="back" data-t-name="tree.back" data-icon="back"></button>
        <button type="button" id="hl-tree-play" data-icon="play"></button>
        <button type="button" data-play="forward" data-t-name="tree.forward" data-icon="forward">
        </button>
        <button type="button" data-play="last" data-t-name="tree.last" data-icon="last"></button>
      </div>
      <label for="hl-tree-slider" data-t="tree.step"></label>
      <input type="range" id="hl-tree-slider" min="1" max="1" value="1" step="1">
      <output id="hl-tree-place" for="hl-tree-slider"></output>
      <label class="hl-tree-speed"><span data-t="tree.speed"></span>
        <select id="hl-tree-speed"></select></label>
      <label class="hl-tree-all"><input type="checkbox" id="hl-tree-all">
        <span data-t="tree.all"></span></label>
      <div class="hl-zoom" role="group" data-t-label="zoom.name">
        <button type="button" data-zoom="out" data-t-name="zoom.out">−</button>
        <button type="button" data-zoom="fit" data-t="zoom.fit"></button>
        <button type="button" data-zoom="in" data-t-name="zoom.in">+</button>
      </div>
    </div>
    <ul class="hl-tree-legend" id="hl-tree-legend" data-t-label="tree.legend"></ul>
    <div class="hl-tree-field" id="hl-tree-field" tabindex="0" role="application"
      data-t-label="tree.title" aria-describedby="hl-tree-axes hl-tree-keys"></div>
    <div class="hl-tree-earlier" id="hl-tree-earlier" hidden></div>
    <div class="hl-tree-foot">
      <p class="hl-note"><span id="hl-tree-axes" data-t="tree.axes"></span>
        <span id="hl-tree-keys" data-t="tree.keys"></span></p>
      <div class="hl-take" id="hl-tree-take"><span data-t="take.name"></span></div>
    </div>
  </div>
  <div class="hl-tree-aside">
    <div class="hl-tree-facts" id="hl-tree-facts" role="status"></div>
    <div class="hl-tree-acts" id="hl-tree-acts"></div>
    <form class="hl-tree-begin" id="hl-tree-begin">
      <label for="hl-tree-text" data-t="tree.begin"></label>
      <input type="text" id="hl-tree-text" lang="zh-CN" maxlength="200" autocomplete="off"
        aria-describedby="hl-tree-trouble">
      <button type="submit" data-t="tree.begin.go"></button>
      <p class="hl-tree-trouble" id="hl-tree-trouble" role="alert" hidden></p>
    </form>
    <div class="hl-tree-list">
      <h3 id="hl-tree-list-name"></h3>
      <div class="hl-tree-scroll" tabindex="-1">
        <table id="hl-tree-table" aria-labelledby="hl-tree-list-name"></table>
      </div>
    </div>
  </div>
</div>
"""


def layout() -> None:
    """The tree with its player at the left; at the right one candidate and the step's table."""
    panel("tree", TEMPLATE)


TREE = Exhibit("tree", "decoding", layout)
