/** How guides look. */
export const INLINE = {
  script: '',
  style:
    ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}pre,table{display:block;overflow-x:auto}pre{background:#8882;padding:.6rem}th,td{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0}code{overflow-wrap:anywhere}:target{background:#fc03}',
};
