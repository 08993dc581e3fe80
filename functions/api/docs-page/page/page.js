import SwaggerUI from 'swagger-ui-dist/swagger-ui-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import { fittedExamples } from './fitted-examples.ts';
import { foldedRefusals } from './folded-refusals.js';
import './page.css';

SwaggerUI({
  // Relative: the API may lie below any path.
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  // A token that was pasted is gone with the page.
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
