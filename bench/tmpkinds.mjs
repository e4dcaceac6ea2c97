import { performance } from 'node:perf_hooks';
const old = await import('/work/main/out/old-dist/index.js');
const now = await import('/work/main/dist/index.js');
let s=1; const rnd=()=>{s=(s*1103515245+12345)%2147483648;return s/2147483648;};
const N=200000;
const circles=Array.from({length:N},(_,i)=>({id:'c'+i,name:'n',type:{key:i%5?'circle':'point'},geometry:[[rnd()*300-150,rnd()*120-60]],width:50+rnd()*500}));
const polys=Array.from({length:N/2},(_,i)=>{const x=rnd()*300-150,y=rnd()*120-60;return{id:'p'+i,name:'n',type:{key:'polygon'},geometry:Array.from({length:8},(_,k)=>[x+0.01*Math.cos(k),y+0.01*Math.sin(k)])};});
const lines=Array.from({length:N/4},(_,i)=>{let x=rnd()*300-150,y=rnd()*120-60;return{id:'l'+i,name:'n',type:{key:'line'},width:30,geometry:Array.from({length:20},()=>[x+=rnd()*0.01,y+=rnd()*0.01])};});
const odd=Array.from({length:N/10},(_,i)=>{const x=179.99,y=rnd()*120-60;return{id:'o'+i,name:'n',type:{key:'polygon'},geometry:[[x,y],[-179.99,y],[-179.99,y+0.01],[x,y+0.01]]};});
const only=process.argv[2]?.split(",");const work={
 circles:(m)=>new m.ZoneIndex(circles), polys:(m)=>new m.ZoneIndex(polys), lines:(m)=>new m.ZoneIndex(lines), odd:(m)=>new m.ZoneIndex(odd),
 measure:(m)=>{let a=0;for(let i=0;i<100000;i++)a+=m.measureZone(circles[i]).area;for(let i=0;i<50000;i++)a+=m.measureZone(polys[i]).area;return a;},
 outline:(m)=>{let a=0;for(let i=0;i<5000;i++)a+=m.zoneOutline({...circles[i],type:{key:'circle'}}).coordinates[0].length;return a;},
 contains:(m)=>{let a=0;for(let i=0;i<100000;i++)a+=m.zoneContains(circles[i],circles[i].geometry[0])?1:0;return a;},
 crossing:(m)=>{const ix=m.__c??=new Map();let x=ix.get?.('i');if(!x){x=new m.ZoneIndex(circles);ix.set('i',x);}let a=0;for(let i=0;i<30000;i++){const [lon,lat]=circles[i].geometry[0];a+=x.crossing([lon-0.003,lat-0.001],[lon+0.003,lat+0.002]).length;}return a;},
};
const O={...old},M={...now};
for(const [k,f] of Object.entries(work)){if(only&&!only.includes(k))continue;const t={o:[],n:[]};let same;for(let r=0;r<31;r++){for(const w of r%2?['o','n']:['n','o']){const m=w==='o'?O:M;global.gc?.();const b=process.cpuUsage();const v=f(m);const e=process.cpuUsage(b);t[w].push((e.user+e.system)/1000);if(typeof v==='number'){if(same===undefined)same=v;else if(same!==v)console.log('DIFF',k,same,v);}}}
const med=a=>a.sort((x,y)=>x-y)[a.length>>1];console.log(k,med(t.o).toFixed(1),med(t.n).toFixed(1),(med(t.n)/med(t.o)).toFixed(3),'min',(Math.min(...t.n)/Math.min(...t.o)).toFixed(3));}
