from fastapi import FastAPI, Request, Response
from inbox import receive

app = FastAPI()


@app.post("/")
async def webhook(request: Request):
    # No model as a parameter: what is signed are the bytes.
    return Response(status_code=receive(await request.body(), request.headers))
