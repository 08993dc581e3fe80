import { render } from 'preact';
import { App } from './app/app.tsx';
import { takeLinks } from './app/link.ts';
import { keepPlaces } from './app/scroll.ts';
import { resume } from './app/session.ts';
import './style/common.css';
import './style/page.css';
import './style/parts.css';
import './style/forms.css';
import './style/lists.css';
import './style/charts.css';

const place = document.getElementById('console');
if (place !== null) {
  takeLinks();
  keepPlaces();
  resume();
  place.replaceChildren();
  render(<App />, place);
}
