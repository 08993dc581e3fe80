/**
 * Commands name the stage, service and subscription that a page was opened from, `?stage=prod`; without them
 * they stay as written. What is no plain id stays out: people paste these into a shell.
 */
const FILLS_IN = `for(const [name,id] of new URLSearchParams(location.search))if(/^\\w[\\w-]*$/.test(id))for(const code of document.querySelectorAll('code')){
const fill=(text,by=id)=>code.textContent=code.textContent.replaceAll(text,by);
if(name==='stage'){fill('$STAGE');fill(/^export STAGE=\\w+$/gm,'export STAGE='+id)}
if(name==='service')fill(/\\bbakery\\b/g);
if(name==='subscription')fill(/sub_\\.\\.\\.|<subscription>(?!\\.)/g)}`;

/** How guides look: like the console, whose colours console/style/common.css declares. */
export const INLINE = {
  script: FILLS_IN,
  style:
    ':root{color-scheme:light dark;--paper:#fff;--ink:#16191d;--rule:#d9dde2;--faint:#f4f5f7;--accent:#0067b8;--here:#fdf3dd}@media screen and (prefers-color-scheme:dark){:root{--paper:#12151a;--ink:#e8ebef;--rule:#2d343d;--faint:#1a1f26;--accent:#62b2f7;--here:#2e240f}}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:20px 24px 72px;background:var(--paper);color:var(--ink)}a{color:var(--accent)}h1{font-size:32px;line-height:1.2}h2{margin:44px 0 12px;font-size:20px}h3{font-size:16px}pre,table{display:block;overflow-x:auto}pre{padding:12px 14px;border-radius:6px;background:var(--faint)}table{border-collapse:collapse;font-size:15px}th,td{text-align:left;vertical-align:top;padding:5px 20px 5px 0;border-bottom:1px solid var(--rule)}code{font-size:.9em;overflow-wrap:anywhere}:target{background:var(--here)}',
};
