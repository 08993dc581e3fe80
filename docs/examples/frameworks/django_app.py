from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from inbox import receive

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="of the example")


# The signature takes the place of the CSRF token.
@csrf_exempt
@require_POST
def webhook(request):
    return HttpResponse(status=receive(request.body, request.headers))


urlpatterns = [path("", webhook)]
app = get_wsgi_application()
