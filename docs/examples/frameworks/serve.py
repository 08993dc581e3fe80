"""Serves flask_app, fastapi_app or django_app, each as its framework's servers do:  python serve.py flask_app"""
import importlib
import os
import sys
import wsgiref.simple_server

app = importlib.import_module(sys.argv[1]).app
port = int(os.environ.get("PORT", "8080"))


def listening(on):
    print(f"listening on port {on}", flush=True)


if sys.argv[1] == "fastapi_app":
    import asyncio

    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))

    async def run():
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.02)
        listening(server.servers[0].sockets[0].getsockname()[1])
        await serving

    asyncio.run(run())
else:
    with wsgiref.simple_server.make_server("127.0.0.1", port, app) as server:
        listening(server.server_port)
        server.serve_forever()
