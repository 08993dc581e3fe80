/** Styles are bundled by lib/bundling. */
declare module '*.css';
