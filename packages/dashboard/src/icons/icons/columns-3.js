import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "columns-3",
	size: 24,
	node: [
		["rect", {
			width: "18",
			height: "18",
			x: "3",
			y: "3",
			rx: "2",
			key: "afitv7"
		}],
		["path", {
			d: "M9 3v18",
			key: "fh3hqa"
		}],
		["path", {
			d: "M15 3v18",
			key: "14nvp0"
		}]
	],
	aliases: ["panels-left-right"]
};
__iconData.node;
const Columns3 = createLucideIcon(__iconData);
export { __iconData, Columns3 as default };
