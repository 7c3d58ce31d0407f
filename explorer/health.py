"""GET /health: the state of this server, for monitors and load balancers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from explorer.models import Models
from model.errors import HeadlightError


def health_route(models: Models) -> Route:
    """Return 200 with {"status": "ready", "model": name, "models": [names]}, otherwise 503.

    `model` is the default one, `models` all that visitors may choose, loaded when first used. It is
    503 while the default one is loading or cannot be loaded, and once the server is stopping.
    """

    async def respond(_: Request) -> JSONResponse:
        if models.is_stopping:
            return JSONResponse({"status": "stopping"}, status_code=503)
        try:
            explainer = models.default.get(timeout=0)
        except HeadlightError as error:
            return JSONResponse({"status": "failed", "reason": str(error)}, status_code=503)
        if explainer is None:
            return JSONResponse({"status": "loading"}, status_code=503)
        names = [one.name for one in models.listed]
        return JSONResponse({"status": "ready", "model": explainer.name, "models": names})

    return Route("/health", respond)
