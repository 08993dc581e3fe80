/**
 * Shows only the status and meaning of each error response; the sample, much the same for all of them, opens
 * on click. A plugin of Swagger UI: "Plugin API", wrapComponents.
 */
export function foldedRefusals({ React }) {
  const { createElement, Fragment, useState } = React;
  const wrapped = (Original) =>
    function Answer(props) {
      const [isOpen, setOpen] = useState(false);
      const { code, response, getComponent } = props;
      if (!/^[45]\d\d$/.test(code)) {
        return createElement(Original, props);
      }
      const toggle = { type: 'button', className: 'sample-toggle', 'aria-expanded': isOpen };
      const description = createElement(
        'td',
        { className: 'response-col_description' },
        createElement(getComponent('Markdown', true), { source: response.get('description') }),
        createElement(
          'button',
          { ...toggle, onClick: () => setOpen(!isOpen) },
          isOpen ? 'Hide sample' : 'Show sample',
        ),
      );
      return createElement(
        Fragment,
        null,
        createElement(
          'tr',
          { className: 'response refusal', 'data-code': code },
          createElement('td', { className: 'response-col_status' }, code),
          description,
        ),
        isOpen && createElement(Original, { ...props, className: 'sample' }),
      );
    };
  return { wrapComponents: { response: wrapped } };
}
