export { removeTemplateFolder as default } from './template-folder.ts';
