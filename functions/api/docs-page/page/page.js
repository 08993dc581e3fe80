import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import { fittedExamples } from './fitted-examples.ts';
import { foldedRefusals } from './folded-refusals.js';
import './page.css';

const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

SwaggerUI({
  // Relative, because a stage may put the API below any path.
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  // A pasted token is forgotten when the page closes.
  persistAuthorization: false,
  validatorUrl: 'none',
  defaultModelsExpandDepth: 0,
  plugins: [foldedRefusals],
  responseInterceptor(response) {
    if (response.ok && new URL(response.url).pathname.endsWith('/openapi.json')) {
      response.text = fittedExamples(response.text, location.hostname, Date.now());
    }
    return response;
  },
});
