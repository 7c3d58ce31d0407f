"""GET /health: whether this server can answer, for whatever watches it or stands in front of it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from explorer.loading import Loading
from model.errors import HeadlightError


def health_route(loading: Loading) -> Route:
    """200 with {"status": "ready", "model": name}; 503 while the model is loading or cannot be."""

    async def respond(_: Request) -> JSONResponse:
        try:
            explainer = loading.get(timeout=0)
        except HeadlightError as error:
            return JSONResponse({"status": "failed", "reason": str(error)}, status_code=503)
        if explainer is None:
            return JSONResponse({"status": "loading"}, status_code=503)
        return JSONResponse({"status": "ready", "model": explainer.name})

    return Route("/health", respond)
