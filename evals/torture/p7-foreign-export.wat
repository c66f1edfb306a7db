(component
  (core module $module
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (func (export "run") (param i32) (result i32)
      (i32.const 1024)))
  (core instance $main (instantiate $module))
  ;; frame
  (core module $plain (func (export "extra")))
  (core instance $plain (instantiate $plain))
  (func $extra (canon lift (core func $plain "extra")))
  (export "extra" (func $extra))
)
