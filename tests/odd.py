"""Texts that a visitor may type: short, long, repeated, in bytes, in markup, not English."""

EVERY = (
    "I am a student.",
    "I ❤️ 🍕!",
    "{token} {p} <b>bold</b> &amp; </s> 100 %",
    "Yesterday evening my old neighbour told me that her three cats had been stolen by a man, and "
    "because the weather was warm we walked along the river and talked about it for hours.",
    "a",
    "?!?!",
    "🇨🇳!",
    "🐱🚀👩‍🚀",
    "12345.678 67890 42 %",
    "\u202eabc\u0301 \u200dx",
    "\\ ` ${1} {{x}}",
    "你好",
    "WHERE IS THE STATION???",
    "the the The THE the",
    "I am I am I am I am I am I am.",
    "Buffalo buffalo Buffalo buffalo buffalo buffalo Buffalo buffalo.",
    "Donaudampfschifffahrtsgesellschaft",
    "She said: “I don't know — ask him, or her, or nobody.”",
)
